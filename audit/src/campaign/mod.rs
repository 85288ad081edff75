//! A campaign: many programs audited by one command, each against what is expected of it.
//!
//! [`plan`] reads what is to be done, [`run`] does it, by `assay audit` as a process of its own for each mechanism, so
//! that what one does to itself is no other's business; [`child`] is such a process. [`record`] is what is kept of each, and judges it; [`table`]
//! and [`junit`] show all of them.
//!
//! Nothing in a plan stops a campaign: an entry that cannot be read, started or finished is recorded, with the reason.

mod child;
pub mod junit;
pub mod plan;
pub mod record;
pub mod run;
pub mod table;
