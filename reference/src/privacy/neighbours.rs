//! When two datasets count as neighbours.

/// Which two datasets a mechanism must not tell apart.
///
/// The two are different promises. Substituting a record is one removal and one addition, so that (epsilon, delta) under
/// [`AddOrRemove`](Self::AddOrRemove) gives `(2 epsilon, (1 + e^epsilon) delta)` under [`Substitute`](Self::Substitute);
/// nothing follows in the other direction, because the size of the dataset is public under substitution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NeighbouringRelation {
    /// The same number of records, and at most one of them differs: "bounded" privacy, "replace one".
    Substitute,
    /// One dataset is the other with one record more: "unbounded" privacy.
    AddOrRemove,
}
