//! Shared by the two learners of halfspaces: options, parameters, and the bound.

use super::baseline::non_private_baseline;
use crate::error::Error;
use crate::options::{MOST, Range, whole_in};
use crate::papers::classifier::{Inputs, Labelled};
use crate::papers::learn::Parameters;
use crate::papers::report::Bound;
use clap::Args;
use dp_assay::geometry::Halfspace;
use dp_assay::halfspaces::bounds::Guarantee;
use dp_assay::halfspaces::{Dataset, Record};
use dp_assay::number::{Grid, Rational, rational};
use num_traits::One;

/// What both learners take.
#[derive(Debug, Args)]
pub struct Common {
    #[command(flatten)]
    pub inputs: Inputs,
    /// The margin, in (0, 1]
    #[arg(long, value_name = "G", value_parser = Range::LearnedMargin.parser(), allow_hyphen_values = true)]
    pub gamma: Rational,
    /// The accuracy, in (0, 1)
    #[arg(long, value_name = "A", default_value = "1/10", value_parser = Range::Accuracy.parser(), allow_hyphen_values = true)]
    pub alpha: Rational,
    /// The probability of failure, in (0, 1)
    #[arg(long, value_name = "B", default_value = "1/10", value_parser = Range::Probability.parser(), allow_hyphen_values = true)]
    pub beta: Rational,
    /// The dimension of the projection, instead of the theorem's; there is none if this is at least the
    /// dimension of the data
    #[arg(long, value_name = "M", value_parser = whole_in::<u32>(1..=MOST), allow_hyphen_values = true)]
    pub dimension: Option<u32>,
}

impl Labelled for Dataset {
    fn of(grid: Grid, dimension: usize, records: Vec<Record>) -> Result<Self, Error> {
        Ok(Self::new(grid, dimension, records)?)
    }

    fn records(&self) -> &[Record] {
        self.records()
    }

    const BESIDE: &'static str = "non_private_baseline";

    fn without_privacy(&self, _margin: &Rational) -> Result<Halfspace, Error> {
        non_private_baseline(self.dimension(), self.records())
    }
}

impl Common {
    /// The rows of the projection that `--dimension` asks for, if it is given: none from the data's
    /// dimension `d` on.
    pub fn rows(&self, d: usize) -> Option<Option<usize>> {
        self.dimension
            .map(|m| usize::try_from(m).ok().filter(|&m| m < d))
    }

    /// Sets the parameters that both learners have, for data of dimension `d` projected to `rows`.
    pub fn describe(&self, named: &mut Parameters, rows: Option<usize>, d: usize) {
        named.set("alpha", &self.alpha);
        named.set("beta", &self.beta);
        named.set("gamma", &self.gamma);
        named.projection(self.dimension, rows, d);
    }

    /// The guarantee of a run, in words.
    pub fn bound(&self, guarantee: Guarantee) -> Bound {
        let Some(alpha) = guarantee.alpha else {
            return Bound::vacuous(guarantee.reason);
        };
        let alpha = rational::to_scientific_above(&alpha, 4);
        let statement = format!(
            "on every distribution of margin {}, error at most {alpha} with probability {}: {}; other distributions may \
             have more",
            self.gamma,
            Rational::one() - &self.beta,
            guarantee.reason
        );
        Bound::at_most(alpha, statement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::classifier::{self, Data, Found, OfClasses};
    use crate::papers::learn::{Learner, Options, Trained, run};
    use crate::papers::model::ModelFile;
    use crate::papers::{Predict, predictor};
    use crate::table::{Form, Placement, Records};
    use clap::Command;
    use dp_assay::coins::Coins;
    use std::fs;

    /// The baseline in a learner's place.
    #[derive(Debug, Args)]
    struct Baseline {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        load: Data,
    }

    impl Learner for Baseline {
        const NAME: &'static str = "halfspaces-cover";
        type Family = OfClasses<Dataset>;
        type Before = ();

        fn family(&self) -> classifier::Options<'_> {
            classifier::Options::new(&self.common.inputs, &self.load)
        }

        fn before(&self) -> Result<(), Error> {
            Ok(())
        }

        fn train(
            &self,
            _before: &(),
            data: &Dataset,
            named: &mut Parameters,
            _coins: &mut impl Coins,
        ) -> Result<Trained<Found>, Error> {
            self.common.describe(named, None, data.dimension());
            let bound = Bound {
                statement: "error at most 7".to_owned(),
                vacuous: true,
                error_at_most: None,
            };
            let found = non_private_baseline(data.dimension(), data.records())?;
            Ok(Trained::halfspace(found, self.common.gamma.clone(), bound))
        }
    }

    /// The path from data to predictions.
    #[test]
    fn a_model_is_written_read_and_predicts() {
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str| directory.path().join(name);
        let mut text = "a;b;y\n".to_owned();
        for i in -20..=20i64 {
            let class = if i > 0 { "yes" } else { "no" };
            text += &format!("{i};{};{class}\n", (7 * i) % 20);
        }
        fs::write(file("d.csv"), text).unwrap();
        let command = Baseline::command(Options::augment_args(Command::new("learn")));
        let matches = command.get_matches_from([
            "learn",
            &file("d.csv").display().to_string(),
            "--epsilon",
            "1",
            "--gamma",
            "0.1",
            "--label",
            "y",
            "--box",
            "-20:20",
            "--out",
            &file("m.json").display().to_string(),
            "--intercept",
        ]);
        run::<Baseline>(&matches).unwrap();
        let written = fs::read_to_string(file("m.json")).unwrap();
        for part in ["error", "wrong", "33", "41"] {
            assert!(!written.contains(part), "{part} in {written}");
        }
        let model = ModelFile::read(&file("m.json")).unwrap();
        let Predict::Listed(predict) = predictor(&model).unwrap() else {
            panic!("a model of columns");
        };
        let placement = Placement::new(model.columns.clone(), false).unwrap();
        let mut records = Records::open(&file("d.csv"), &Form::default()).unwrap();
        let places = placement.find(&records).unwrap();
        let mut predictions = Vec::new();
        while let Some(line) = records.advance().unwrap() {
            let (point, _) = placement.place(&records, line, &places).unwrap();
            predictions.push(predict(&point).unwrap().label);
        }
        assert_eq!(predictions.len(), 41);
        assert_eq!((&*predictions[0], &*predictions[40]), ("no", "yes"));
    }

    #[test]
    fn a_model_whose_weights_do_not_fit_is_refused() {
        let model = serde_json::json!({
            "format": "dp-assay-model-2", "software": "dp-assay 0.1.0", "algorithm": "halfspaces-cover",
            "privacy": {"epsilon": "1", "delta": "0", "neighbours": "n", "coins": "c",
                        "statement": "(1, 0)-differentially private"},
            "parameters": {}, "parameters_from": "theorem",
            "columns": {"numeric": [{"name": "a", "lo": "0", "hi": "1"}], "categories": [], "intercept": true,
                        "shape": "ball", "grid_bits": 20},
            "label": {"classes": {"positive": "1", "negative": "0"}},
            "weights": {"direction": ["9223372036854775807", "-3"]}
        })
        .to_string();
        let read = |text: &str| predictor(&serde_json::from_str(text).unwrap()).map(|_| ());
        assert_eq!(read(&model), Ok(()));
        for (from, to, part) in [
            (
                "\"-3\"",
                "\"-3.5\"",
                "must be integers as texts of at most 300 digits, got '-3.5'",
            ),
            ("\"-3\"", "\"9223372036854775808\"", "must be integers"),
            ("\"-3\"", "\"-3\",\"1\"", "must have 2 coordinates"),
            ("\"direction\"", "\"destination\"", "destination"),
            (
                "halfspaces-cover",
                "halfspaces-poor",
                "no learner is called",
            ),
            ("ball", "cube", "must be \"ball\""),
        ] {
            assert!(model.contains(from), "{from}");
            let message = read(&model.replace(from, to)).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }
}
