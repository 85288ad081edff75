//! The same functions again, by MPFR.
