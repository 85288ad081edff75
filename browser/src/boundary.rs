//! The boundary to the page's script: a text goes in byte by byte, and its answer comes out byte by byte. So no address and no length
//! crosses it, nothing here is unsafe but three names that the linker must keep, and the module imports nothing.

use std::cell::RefCell;

thread_local! {
    /// What was put and not asked yet.
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// The answer to the last question.
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// One more byte of the question.
#[expect(unsafe_code, reason = "the page's script calls it by this name")]
#[unsafe(no_mangle)]
extern "C" fn put(byte: u8) {
    QUESTION.with_borrow_mut(|question| question.push(byte));
}

/// Answers the question, and forgets it: how many bytes the answer has.
#[expect(unsafe_code, reason = "the page's script calls it by this name")]
#[unsafe(no_mangle)]
extern "C" fn ask() -> u32 {
    let question = QUESTION.take();
    let answer = super::answer(&String::from_utf8_lossy(&question)).into_bytes();
    let length = answer.len() as u32;
    ANSWER.replace(answer);
    length
}

/// A byte of the answer; 0 beyond its end.
#[expect(unsafe_code, reason = "the page's script calls it by this name")]
#[unsafe(no_mangle)]
extern "C" fn take(at: u32) -> u8 {
    ANSWER.with_borrow(|answer| answer.get(at as usize).copied().unwrap_or(0))
}
