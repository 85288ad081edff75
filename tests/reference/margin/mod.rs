//! The paper: each algorithm of the reference beside what ships.

mod algorithm_1;
mod algorithm_2;
mod algorithm_3;
mod algorithm_4;
mod algorithm_6;
mod common;
mod gibbs;
mod labels;
mod network;
