//! Pairs of neighbouring datasets for property tests: with [`meter`](super::meter::meter) a test searches for the
//! neighbours on which a mechanism costs most.
//!
//! With the feature `proptest` there are strategies (`substituted`, `removed`, `permuted` and `neighbours`), with the
//! feature `quickcheck` types that are `Arbitrary` (`Substituted`, `Removed` and `Permuted`). Both shrink what fails to
//! few and simple records.
//!
//! ```
//! # #[cfg(feature = "proptest")] {
//! use dp_assay::privacy::neighbour_pairs::{NeighbourPair, substituted};
//! use proptest::prelude::*;
//!
//! // Records from 0 to 10: at most three beside the one that is substituted.
//! proptest!(|(NeighbourPair { first, second } in substituted(0..=10i64, 0..=3))| {
//!     // Here the mechanism is metered on the two.
//!     prop_assert_eq!(first.len(), second.len());
//! });
//! # }
//! ```

/// Two neighbouring datasets. If one has more records, it is the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeighbourPair<R> {
    /// One dataset.
    pub first: Vec<R>,
    /// The other.
    pub second: Vec<R>,
}

#[cfg(feature = "proptest")]
pub use strategies::{neighbours, permuted, removed, substituted};

#[cfg(feature = "quickcheck")]
pub use arbitrary::{Permuted, Removed, Substituted};

#[cfg(feature = "proptest")]
mod strategies {
    use super::NeighbourPair;
    use crate::privacy::NeighbouringRelation;
    use proptest::collection::{SizeRange, vec};
    use proptest::prelude::{BoxedStrategy, Just, Strategy, any};
    use proptest::sample::Index;
    use std::fmt::Debug;

    /// Datasets with so many other records, and one record that is another in the second, or the same: neighbours
    /// under [`NeighbouringRelation::Substitute`].
    pub fn substituted<S>(
        records: S,
        others: impl Into<SizeRange>,
    ) -> impl Strategy<Value = NeighbourPair<S::Value>>
    where
        S: Strategy + Clone,
        S::Value: Clone,
    {
        let two = (records.clone(), records.clone());
        (vec(records, others), two, any::<Index>()).prop_map(|(mut first, (one, other), at)| {
            let at = at.index(first.len() + 1);
            first.insert(at, one);
            let mut second = first.clone();
            second[at] = other;
            NeighbourPair { first, second }
        })
    }

    /// Datasets with so many other records, and one that only the first has: neighbours under
    /// [`NeighbouringRelation::AddOrRemove`].
    pub fn removed<S>(
        records: S,
        others: impl Into<SizeRange>,
    ) -> impl Strategy<Value = NeighbourPair<S::Value>>
    where
        S: Strategy + Clone,
        S::Value: Clone,
    {
        (vec(records.clone(), others), records, any::<Index>()).prop_map(|(second, one, at)| {
            let mut first = second.clone();
            first.insert(at.index(second.len() + 1), one);
            NeighbourPair { first, second }
        })
    }

    /// Datasets with so many records, and the same in another order: a mechanism for which datasets are multisets
    /// must not lose anything between them.
    pub fn permuted<S>(
        records: S,
        sizes: impl Into<SizeRange>,
    ) -> impl Strategy<Value = NeighbourPair<S::Value>>
    where
        S: Strategy,
        S::Value: Clone,
    {
        vec(records, sizes)
            .prop_flat_map(|first| (Just(first.clone()), Just(first).prop_shuffle()))
            .prop_map(|(first, second)| NeighbourPair { first, second })
    }

    /// Neighbours under this relation: [`substituted()`] or [`removed()`].
    pub fn neighbours<S>(
        relation: NeighbouringRelation,
        records: S,
        others: impl Into<SizeRange> + 'static,
    ) -> BoxedStrategy<NeighbourPair<S::Value>>
    where
        S: Strategy + Clone + 'static,
        S::Value: Clone + Debug + 'static,
    {
        match relation {
            NeighbouringRelation::Substitute => substituted(records, others).boxed(),
            NeighbouringRelation::AddOrRemove => removed(records, others).boxed(),
        }
    }
}

#[cfg(feature = "quickcheck")]
mod arbitrary {
    use super::NeighbourPair;
    use quickcheck::{Arbitrary, Gen};
    use std::slice;

    /// A dataset, and the same with one record substituted: neighbours under
    /// [`Substitute`](crate::privacy::NeighbouringRelation::Substitute).
    #[derive(Debug, Clone)]
    pub struct Substituted<R> {
        before: Vec<R>,
        one: R,
        other: R,
        after: Vec<R>,
    }

    /// A dataset, and the same without one record: neighbours under
    /// [`AddOrRemove`](crate::privacy::NeighbouringRelation::AddOrRemove).
    #[derive(Debug, Clone)]
    pub struct Removed<R> {
        before: Vec<R>,
        one: R,
        after: Vec<R>,
    }

    /// A dataset, and the same in another order: a mechanism for which datasets are multisets must not lose
    /// anything between them.
    #[derive(Debug, Clone)]
    pub struct Permuted<R> {
        // In the other dataset the records stand by their keys.
        records: Vec<(R, u32)>,
    }

    impl<R: Clone> Substituted<R> {
        /// The two datasets.
        #[must_use]
        pub fn pair(&self) -> NeighbourPair<R> {
            let around =
                |record: &R| [&self.before[..], slice::from_ref(record), &self.after].concat();
            NeighbourPair {
                first: around(&self.one),
                second: around(&self.other),
            }
        }
    }

    impl<R: Clone> Removed<R> {
        /// The two datasets, the larger one first.
        #[must_use]
        pub fn pair(&self) -> NeighbourPair<R> {
            let one = slice::from_ref(&self.one);
            NeighbourPair {
                first: [&self.before[..], one, &self.after].concat(),
                second: [&self.before[..], &self.after].concat(),
            }
        }
    }

    impl<R: Clone> Permuted<R> {
        /// The two datasets.
        #[must_use]
        pub fn pair(&self) -> NeighbourPair<R> {
            let records =
                |keyed: &[(R, u32)]| keyed.iter().map(|(record, _)| record.clone()).collect();
            let mut other = self.records.clone();
            other.sort_by_key(|(_, key)| *key);
            NeighbourPair {
                first: records(&self.records),
                second: records(&other),
            }
        }
    }

    impl<R: Arbitrary> Arbitrary for Substituted<R> {
        fn arbitrary(source: &mut Gen) -> Self {
            Self::of(Arbitrary::arbitrary(source))
        }

        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            let (before, after) = (self.before.clone(), self.after.clone());
            let parts = (before, self.one.clone(), self.other.clone(), after);
            Box::new(parts.shrink().map(Self::of))
        }
    }

    impl<R> Substituted<R> {
        fn of((before, one, other, after): (Vec<R>, R, R, Vec<R>)) -> Self {
            Self {
                before,
                one,
                other,
                after,
            }
        }
    }

    impl<R: Arbitrary> Arbitrary for Removed<R> {
        fn arbitrary(source: &mut Gen) -> Self {
            Self::of(Arbitrary::arbitrary(source))
        }

        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            let parts = (self.before.clone(), self.one.clone(), self.after.clone());
            Box::new(parts.shrink().map(Self::of))
        }
    }

    impl<R> Removed<R> {
        fn of((before, one, after): (Vec<R>, R, Vec<R>)) -> Self {
            Self { before, one, after }
        }
    }

    impl<R: Arbitrary> Arbitrary for Permuted<R> {
        fn arbitrary(source: &mut Gen) -> Self {
            let records = Arbitrary::arbitrary(source);
            Self { records }
        }

        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            Box::new(self.records.shrink().map(|records| Self { records }))
        }
    }
}
