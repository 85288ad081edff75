//! A campaign: many programs audited by one command, each against what is expected of it.
//!
//! [`plan`] reads what is to be done. [`run`] does it: it starts `assay audit` for each mechanism, as a process of its own
//! ([`child`]), so that one that dies takes no other with it. [`record`] keeps what was found, and judges it. [`table`] and
//! [`junit`] show all records.
//!
//! Nothing in a plan stops a campaign: an entry that cannot be read, started or finished is recorded, with the reason.

mod child;
pub mod junit;
pub mod plan;
pub mod record;
pub mod run;
pub mod table;
