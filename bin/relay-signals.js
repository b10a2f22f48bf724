// Passes the signals that end a program on to a child process, also if npm was ended and not what npm started. Plain old syntax.
import fs from 'node:fs';

/** Returns an object whose `to` names the child that gets the signals from now on. */
export default function relaySignals() {
  var child = null;
  var received = null;

  function pass(signal) {
    received = signal;
    if (child !== null) child.kill(signal);
  }

  for (var signal of ['SIGINT', 'SIGTERM']) process.on(signal, pass);
  if (process.env.npm_lifecycle_event !== undefined) {
    onOrphaned(() => {
      if (received === null) pass('SIGTERM');
    });
  }
  return {
    to: (next) => {
      child = next;
      if (received !== null) pass(received);
    },
  };
}

/** npm ends its shell and does not wait for what the shell started, so this process has to notice by itself. */
function onOrphaned(act) {
  var before = listAncestors();
  var timer = setInterval(() => {
    if (listAncestors() === before) return;
    clearInterval(timer);
    act();
  }, 250);
  timer.unref();
}

/** The process that started this one and, if that is a shell, the one that started the shell, which is npm. */
function listAncestors() {
  var parent = process.ppid;
  var stat;
  try {
    stat = /\((.*)\) \S (\d+)/.exec(fs.readFileSync(`/proc/${parent}/stat`, 'utf8'));
    if (/^(ba|da|k|z)?sh$/.test(stat[1])) return `${parent} ${stat[2]}`;
  } catch {
    // Only Linux has this file.
  }
  return `${parent}`;
}
