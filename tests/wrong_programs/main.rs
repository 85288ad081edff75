//! Programs that are not private, and what the meter says of them.
//!
//! A folder is a family of errors, a file is one program, and its first line says what is wrong. The meter refuses each for
//! the reason that the file names, and certifies the sound twin beside them. What it cannot see is in `unseen/`, and is the
//! list in `spec/meter.md`.

mod program;

use program::Report;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A program that must be refused: its file, why, and how to meter it.
struct Wrong {
    file: &'static str,
    reason: &'static str,
    reports: fn() -> Vec<Report>,
}

/// A program that is certified: its file, and how to meter it.
struct Certified {
    file: &'static str,
    reports: fn() -> Vec<Report>,
}

/// The families, each with its wrong programs.
macro_rules! families {
    ($($family:ident { $($program:ident)* })*) => {
        $(mod $family {
            $(pub mod $program;)*
            pub mod twin;
        })*

        const WRONG: &[Wrong] = &[$($(Wrong {
            file: concat!(stringify!($family), "/", stringify!($program), ".rs"),
            reason: $family::$program::REASON,
            reports: $family::$program::reports,
        }),*),*];

        const TWINS: &[Certified] = &[$(Certified {
            file: concat!(stringify!($family), "/twin.rs"),
            reports: $family::twin::reports,
        }),*];
    };
}

/// What the meter cannot see.
macro_rules! unseen {
    ($($program:ident)*) => {
        mod unseen {
            $(pub mod $program;)*
        }

        const UNSEEN: &[Certified] = &[$(Certified {
            file: concat!("unseen/", stringify!($program), ".rs"),
            reports: unseen::$program::reports,
        }),*];
    };
}

families! {
    asking {
        constant_work
        recycled_coins
        a_coin_s_function
        a_sampler_s_function
        below
        uniform_below
        pick
        pick_a_rare_place
        pick_each
        against
        bernoulli
        bernoulli_exp
        how_many_bits
        how_many_words
        how_many_were_drawn
        is_this_a_test
        a_sampler_by_hand
        an_exponential_coin_s_function
        an_exponential_coin_of_recycled_coins
        which_side_it_is
        a_choice_by_hand
        digits_of_a_uniform_number
        rounded_releases_by_hand
    }
    results {
        the_sign_of_zero
        a_fraction_not_in_lowest_terms
        what_an_undefined_number_carries
        a_sign_deep_inside
        a_field_that_equality_ignores
        noise_after_the_draw
        no_noise_in_a_coordinate
        in_the_order_of_the_records
        how_many_records
        an_error_that_tells
        an_error_of_one_record
        a_coin_that_fails
        a_panic
        a_panic_of_every_record
        an_address
        how_much_room
        an_early_return
    }
    laws {
        a_law_within_a_law
        probabilities_between_0_and_1
        an_outcome_that_carries_more
        equality_that_forgets
        probabilities_that_forget
        a_sampler_too_long_to_explore
        a_divergence_that_boasts
        an_outcome_that_is_not_listed
        an_outcome_listed_twice
        too_many_outcomes
        noise_that_boasts
        the_record_in_a_label
        the_record_in_the_label_of_a_table
        two_tables_of_one_label
        two_tables_that_are_near
        an_error_of_ones_own
        a_law_of_ones_own_prepared
        an_outcome_that_says_less_of_itself
        a_clone_that_forgets
        probabilities_at_one_precision
        a_table_that_changes
        a_sampler_that_counts_its_bits
        a_panic_in_a_law
        a_first_draw_that_is_another
        fair_for_sixty_four_draws
        noise_as_wide_as_the_record
        an_interval_of_the_record
        clones_that_share
        a_clone_that_is_fair
        two_laws_that_share_a_draw
        a_table_that_is_another_in_between
    }
    rounds {
        all_are_quiet
        now_this_one_and_now_that
        quiet_for_this_record
        one_update_too_many
        a_round_that_costs_too_much
        two_that_are_written_alike
    }
    hidden {
        the_other_way_round
        told_after_all
        all_to_one
        the_same_outcome_of_another_law
        equal_by_its_own_word
        a_sampler_that_is_not_fair
        uses_of_ones_own
        a_threshold_of_the_record
        a_threshold_that_is_told
        a_threshold_that_does_not_move
        an_outcome_that_says_less_of_itself
        another_record_pays
        one_place_of_many
        no_way_back
    }
    promises {
        half_the_noise
        of_the_record
        of_what_was_drawn
        in_the_name_of_a_stage
        more_than_claimed
        one_draw_too_many
        steps_that_do_not_add_up
        before_all_stages
        as_many_draws_as_the_record_says
        a_draw_after_the_release
        one_more_draw_of_one_record
        an_error_passed_over
        one_record_in_two_parts
        other_stages_after_a_short_run
        a_draw_in_a_destructor
        until_it_fits
    }
    paths {
        the_fifth_number
        a_random_record
        noise_then_a_comparison
        a_comparison_of_a_number
        a_comparison_of_bits
        a_rare_coin
        two_rare_coins
        a_rare_exponential_coin
        a_rare_number
        the_largest_number
        twenty_bits
        a_rare_place
        a_rare_side_of_ones_own
        an_answer_far_out
        less_noise_on_a_rare_path
        a_comparison_of_a_fifth_number
        a_comparison_of_a_second_coordinate
        a_comparison_of_a_place
        a_comparison_of_what_is_told
        a_comparison_of_a_waiting_time
        less_noise_beyond_a_threshold
        another_law_beyond_a_threshold
        a_panic_on_a_rare_path
        a_panic_far_out
        a_comparison_of_a_twentieth_number
        a_comparison_of_a_choice
        a_remainder
        one_of_three_thousand
        a_coin_bit_by_bit
        a_number_and_whether_it_is_below
        a_rejection_by_hand
    }
    state {
        how_often_it_ran
        later_than_the_first_two_runs
        what_the_last_run_left
        a_cache_of_its_thread
        the_name_of_its_thread
        the_number_of_its_thread
        coins_of_its_own
        coins_of_its_own_with_a_fixed_seed
        coins_in_another_thread
        the_order_of_a_hash_table
        other_coins_in_place_of_the_meter
        a_law_that_counts_its_draws
        what_the_data_remember
    }
}

unseen! {
    noise_and_whether_it_is_above
    a_generator_seeded_by_the_coins
    a_cache
    a_law_that_leaves_what_it_sees
    a_log
    a_defeat_device
    a_law_that_knows_its_coins
    another_build
    after_a_thousand_runs
    computed_outside
    one_number_of_a_million
    another_pair
    no_neighbours
    another_relation
    time
    two_tables_that_are_nearer
    a_page_that_leaves_out
    a_sampler_that_changes_later
    a_sampler_that_errs_rarely
    no_stage
}

/// Used by programs of its family, and sound itself.
#[path = "hidden/threshold.rs"]
mod threshold;

fn faults(reports: &[Report]) -> Vec<String> {
    reports.iter().flat_map(Report::faults).collect()
}

/// What is wrong with each, as many at once as there are processors.
fn wrong_of<P: Sync>(programs: &[&P], wrong: impl Fn(&P) -> Option<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(program) = programs.get(next.fetch_add(1, Relaxed)) {
            found.extend(wrong(program));
        }
        found
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let found = running.into_iter().map(|worker| worker.join().unwrap());
        found.flatten().collect()
    })
}

#[test]
fn every_wrong_program_is_refused_for_its_reason() {
    let programs: Vec<&Wrong> = WRONG.iter().collect();
    let wrong = wrong_of(&programs, |program| {
        let Wrong { file, reason, .. } = program;
        let reports = (program.reports)();
        let sound = reports.iter().filter(|report| report.is_sound()).count();
        if sound > 0 {
            return Some(format!(
                "{file}: {sound} of {} runs call it sound",
                reports.len()
            ));
        }
        let faults = faults(&reports);
        let expected = faults.iter().any(|fault| fault.contains(reason));
        (!expected).then(|| format!("{file}: for another reason: {}", faults[0]))
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// That the meter finds nothing.
fn is_certified(program: &Certified) -> Option<String> {
    let faults = faults(&(program.reports)());
    (!faults.is_empty()).then(|| format!("{}: {faults:?}", program.file))
}

#[test]
fn a_sound_twin_of_each_family_is_certified() {
    let threshold = Certified {
        file: "hidden/threshold.rs",
        reports: threshold::sound,
    };
    let programs: Vec<&Certified> = TWINS.iter().chain([&threshold]).collect();
    let wrong = wrong_of(&programs, is_certified);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// One that is seen can leave the list.
#[test]
fn what_the_meter_cannot_see_it_calls_sound() {
    let programs: Vec<&Certified> = UNSEEN.iter().collect();
    let seen = wrong_of(&programs, is_certified);
    assert!(seen.is_empty(), "{}", seen.join("\n"));
}

#[test]
fn the_list_of_what_is_not_seen_is_that_of_the_specification() {
    let page = include_str!("../../spec/meter.md");
    let (_, list) = page
        .split_once("\n## What the meter does not see\n")
        .unwrap();
    let list = list.split("\n## ").next().unwrap();
    let lines: Vec<&str> = list.lines().filter(|line| line.starts_with("- ")).collect();
    let named = |line: &&str| -> BTreeSet<String> {
        let programs = line.split("`unseen/").skip(1);
        programs
            .map(|rest| format!("unseen/{}", rest.split('`').next().unwrap()))
            .collect()
    };
    // Each line has its program, and each program its line.
    assert!(
        lines.iter().all(|line| !named(line).is_empty()),
        "{lines:#?}"
    );
    let listed: BTreeSet<String> = lines.iter().flat_map(named).collect();
    assert_eq!(
        listed,
        UNSEEN.iter().map(|one| one.file.to_owned()).collect()
    );
}

#[test]
fn every_file_is_run_and_says_what_is_wrong() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("wrong_programs");
    let mut files = BTreeSet::new();
    for folder in std::fs::read_dir(&root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        if !folder.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            let text = std::fs::read_to_string(&file).unwrap();
            assert!(
                text.starts_with("//! "),
                "{} does not say what is wrong",
                file.display()
            );
            let name = file
                .strip_prefix(&root)
                .unwrap()
                .to_str()
                .unwrap()
                .replace('\\', "/");
            files.insert(name);
        }
    }
    let certified = TWINS.iter().chain(UNSEEN).map(|one| one.file);
    let run = WRONG
        .iter()
        .map(|one| one.file)
        .chain(certified)
        .chain(["hidden/threshold.rs"]);
    assert_eq!(files, run.map(str::to_owned).collect());
    assert!(WRONG.len() + UNSEEN.len() >= 40);
}
