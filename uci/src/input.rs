//! The input of a process. A short message is written at once if the pipe has room for it. A thread writes any other,
//! since it may have to wait until the process reads. The amount that waits is bounded.

use std::io::{self, Write};
use std::process::ChildStdin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How many bytes of input the program may leave unread.
const MOST_INPUT: u64 = 4 << 20;

/// The input of a process, and what waits to be written to it.
pub(crate) struct Input {
    /// `None` after the input was closed.
    open: Option<Open>,
    /// Bytes that the thread has not written.
    waiting: Arc<AtomicU64>,
    write_time: Arc<WriteTime>,
    /// Too much was waiting, and the rest was discarded.
    is_full: bool,
}

/// The process sees the end of its input once this and the thread are gone.
struct Open {
    pipe: Arc<ChildStdin>,
    messages: Sender<Vec<u8>>,
}

impl Input {
    /// Starts the thread.
    pub(crate) fn new(pipe: ChildStdin) -> io::Result<Self> {
        let pipe = Arc::new(pipe);
        let (messages, receiver) = mpsc::channel();
        let waiting = Arc::new(AtomicU64::new(0));
        let write_time = Arc::new(WriteTime::new());
        let (written, counted, noted) = (Arc::clone(&pipe), Arc::clone(&waiting), Arc::clone(&write_time));
        let thread = thread::Builder::new().stack_size(128 << 10);
        thread.spawn(move || write(&*written, &receiver, &counted, &noted))?;
        Ok(Self { open: Some(Open { pipe, messages }), waiting, write_time, is_full: false })
    }

    /// Sends bytes. If the process has closed its input, they are discarded.
    pub(crate) fn send(&mut self, bytes: Vec<u8>) {
        let Some(Open { pipe, messages }) = &self.open else { return };
        let before = self.waiting.load(Ordering::Acquire);
        if before == 0 && has_room(pipe, bytes.len()) {
            self.write_time.set_now();
            let _ = (&**pipe).write_all(&bytes);
            return;
        }
        let length = bytes.len() as u64;
        if before > 0 && before + length > MOST_INPUT {
            self.is_full = true;
            self.open = None;
        } else {
            self.waiting.fetch_add(length, Ordering::Relaxed);
            let _ = messages.send(bytes);
        }
    }

    /// When the last write began. The time of creation if there was none.
    pub(crate) fn write_time(&self) -> Instant {
        self.write_time.get()
    }

    /// Closes the input.
    pub(crate) fn close(&mut self) {
        self.open = None;
    }

    /// The number of bytes that wait, if they became too many.
    pub(crate) fn overflow(&self) -> Option<u64> {
        self.is_full.then(|| self.waiting.load(Ordering::Relaxed))
    }
}

/// Whether a write of so many bytes returns at once: POSIX lets none of at most `PIPE_BUF` bytes wait if `poll` finds
/// the pipe ready.
#[cfg(unix)]
fn has_room(pipe: &ChildStdin, length: usize) -> bool {
    use std::os::fd::AsFd as _;

    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    let mut polled = [PollFd::new(pipe.as_fd(), PollFlags::POLLOUT)];
    length <= nix::libc::PIPE_BUF && poll(&mut polled, PollTimeout::ZERO) == Ok(1)
}

/// Nothing tells how much room a pipe has.
#[cfg(not(unix))]
fn has_room(_: &ChildStdin, _: usize) -> bool {
    false
}

/// When the last write began, for the thread that did not write it.
struct WriteTime {
    origin: Instant,
    /// Nanoseconds since `origin`.
    since: AtomicU64,
}

impl WriteTime {
    fn new() -> Self {
        Self { origin: Instant::now(), since: AtomicU64::new(0) }
    }

    fn set_now(&self) {
        let since = u64::try_from(self.origin.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.since.store(since, Ordering::Release);
    }

    /// When the last write began. The time of creation if there was none.
    fn get(&self) -> Instant {
        self.origin + Duration::from_nanos(self.since.load(Ordering::Acquire))
    }
}

/// Writes all messages to the pipe, until the sender is dropped or the pipe is closed. Subtracts the written
/// bytes from `waiting`, and notes in `began` when each write begins.
fn write(mut pipe: impl Write, messages: &Receiver<Vec<u8>>, waiting: &AtomicU64, began: &WriteTime) {
    for message in messages {
        began.set_now();
        if pipe.write_all(&message).and_then(|()| pipe.flush()).is_err() {
            return;
        }
        waiting.fetch_sub(message.len() as u64, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    fn start(program: &str, argument: &str) -> (std::process::Child, Input) {
        use std::process::{Command, Stdio};

        let mut command = Command::new(program);
        command.arg(argument).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let input = Input::new(child.stdin.take().unwrap()).unwrap();
        (child, input)
    }

    #[cfg(unix)]
    #[test]
    fn a_process_that_does_not_read_blocks_nothing() {
        let (mut child, mut input) = start("sleep", "60");
        let message = vec![b'x'; 1000];
        let mut sent = 0;
        let began = Instant::now();
        while input.overflow().is_none() && sent < 2 * MOST_INPUT {
            input.send(message.clone());
            sent += message.len() as u64;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(began.elapsed() < Duration::from_secs(50), "a write waited");
        let waiting = input.overflow().unwrap();
        // A thread that gets the processor late fills the pipe only now.
        let pipe = 66 << 10;
        assert!(
            (MOST_INPUT - pipe..=MOST_INPUT).contains(&waiting) && sent > MOST_INPUT,
            "{waiting} of {sent}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn only_a_write_that_the_system_takes_whole_returns_at_once() {
        use std::process::{Command, Stdio};

        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let pipe = child.stdin.take().unwrap();
        assert!(has_room(&pipe, nix::libc::PIPE_BUF));
        assert!(!has_room(&pipe, nix::libc::PIPE_BUF + 1));
        drop(pipe);
        child.wait().unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn long_and_short_messages_arrive_in_their_order() {
        let (child, mut input) = start("cat", "-");
        let mut expected = Vec::new();
        for (number, length) in (0..30_u8).zip([5, 100_000, 4000].into_iter().cycle()) {
            let message = vec![number; length];
            expected.extend_from_slice(&message);
            input.send(message);
        }
        input.close();
        assert!(child.wait_with_output().unwrap().stdout == expected);
    }

    #[test]
    fn what_was_written_is_no_longer_counted_as_waiting() {
        let (send, receive) = mpsc::channel();
        let (waiting, mut written) = (AtomicU64::new(9), Vec::new());
        for message in [&b"uci\n"[..], b"quit\n"] {
            send.send(message.to_vec()).unwrap();
        }
        drop(send);
        write(&mut written, &receive, &waiting, &WriteTime::new());
        assert_eq!((&written[..], waiting.into_inner()), (&b"uci\nquit\n"[..], 0));
    }

    #[test]
    fn the_time_of_a_write_is_when_it_began() {
        /// Takes its time for each write.
        struct Slow;
        impl Write for Slow {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                std::thread::sleep(Duration::from_millis(30));
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let (send, receive) = mpsc::channel();
        let began = WriteTime::new();
        let origin = began.get();
        send.send(b"uci\n".to_vec()).unwrap();
        send.send(b"quit\n".to_vec()).unwrap();
        drop(send);
        write(Slow, &receive, &AtomicU64::new(9), &began);
        let (last, ended) = (began.get(), Instant::now());
        assert!(last - origin >= Duration::from_millis(30), "the first write came before");
        assert!(ended - last >= Duration::from_millis(30), "the last write was not over");
    }
}
