//! Services that answer by sessions, each asked by one analyst: filters, odometers, noise that is kept, and sparse vectors. The
//! transcript of a session is one output. Data end in a bit, which the neighbour has otherwise.

mod draws;
mod filter;
mod kept;
mod odometer;
mod threshold;

use crate::specimen::{Mechanism, Specimen, last_bit, specimen};
use crate::targets::{Analyst, Output, Strategy, TargetError};
use dp_assay::coins::ChaCha;
use draws::{Draws, Tossed};
use serde_json::{Value, json};

/// What answers questions about a bit, one after another.
trait Service: Send + Sync {
    /// What a session remembers.
    type Session: Default;

    fn ask(
        &self,
        bit: bool,
        session: &mut Self::Session,
        question: &Value,
        draws: &mut dyn Draws,
    ) -> Result<Output, TargetError>;
}

/// A service with who asks.
struct Asked<S> {
    service: S,
    analyst: Analyst,
}

impl<S: Service> Asked<S> {
    fn transcript(&self, data: &Value, draws: &mut dyn Draws) -> Result<Output, TargetError> {
        let (bit, mut session) = (last_bit(data)?, S::Session::default());
        let ask = |question: &Value| self.service.ask(bit, &mut session, question, draws);
        Ok(Output::Vector(self.analyst.transcript(ask)?))
    }
}

impl<S: Service> Mechanism for Asked<S> {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        self.transcript(data, &mut Tossed(coins))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        draws::law(|draws| self.transcript(data, draws)).map(Some)
    }
}

/// A question that a service does not know is refused, as a program does.
fn unknown(question: &Value) -> Output {
    Output::Error(format!("no such question: {question}"))
}

/// A specimen on one bit: its name, what is wrong with it, the service, the questions, the strategy and the rounds.
fn asked(
    name: &'static str,
    about: &'static str,
    service: impl Service + 'static,
    questions: &Value,
    (strategy, rounds): (Strategy, usize),
) -> Result<Specimen, TargetError> {
    let questions = questions.as_array().cloned().unwrap_or_default();
    let analyst = Analyst::new(questions, strategy, rounds, 1);
    let analyst = analyst.map_err(|reason| TargetError::Line { line: 0, reason })?;
    specimen(
        name,
        about,
        [json!([0]), json!([1])],
        Asked { service, analyst },
    )
}

pub(super) fn all() -> Result<Vec<Specimen>, TargetError> {
    let lists = [filter::all, odometer::all, kept::all, threshold::all];
    let mut all = Vec::new();
    for list in lists {
        all.extend(list()?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_true_of_each_service_is_what_it_spends() {
        let truths: Vec<(&str, f64)> = all()
            .unwrap()
            .iter()
            .map(|specimen| (specimen.name, specimen.truth.epsilon))
            .collect();
        let truth = |name| {
            let found = truths.iter().find(|(listed, _)| *listed == name);
            found.unwrap_or_else(|| panic!("{name}")).1
        };
        for (name, epsilon) in [
            ("filter", 1.0),
            // Two answers at 3/4 each, four at 1/2.
            ("filter-checks-late", 1.5),
            ("filter-charges-what-is-asked", 2.0),
            ("filter-refusal-reads", f64::INFINITY),
            ("noise-kept", f64::INFINITY),
            ("answers-kept", 1.0),
            // Two tests and two answers.
            ("odometer", 1.0),
            // Six tests that fail.
            ("odometer-forgets-refusals", 1.5),
            // Without noise on the threshold each "no" costs a quarter.
            ("sparse-vector-threshold-kept", 2.0),
        ] {
            let found = truth(name);
            assert!(
                found == epsilon || (found - epsilon).abs() < 1e-9,
                "{name}: {found}"
            );
        }
        let within = |name, low: f64, high: f64| {
            let found = truth(name);
            assert!(low < found && found < high, "{name}: {found}");
        };
        within("sparse-vector-asked", 0.3, 1.0);
        within("sparse-vector-asked-on", 1.2, 2.5);
    }
}
