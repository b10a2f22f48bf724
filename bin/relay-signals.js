// Passes on the signals that end a program, also when npm was ended and not what npm started. Plain old syntax.
import fs from 'node:fs';

/** Returns an object whose `to` names the child that gets them from now on. */
export default function relaySignals() {
  var child = null;
  var counts = false;
  var passed = false;
  var waiting = null;

  function pass(signal) {
    passed = true;
    if (child === null) waiting = signal;
    // A terminal, and many supervisors, signal every process of a group. Who counts can tell such a copy from a second signal.
    else if (counts && child.connected) child.send({ relayed: signal }, () => {});
    else child.kill(signal);
  }

  for (var signal of ['SIGINT', 'SIGTERM']) process.on(signal, pass);
  if (process.env.npm_lifecycle_event !== undefined) {
    onOrphaned(() => {
      if (!passed) pass('SIGTERM');
    });
  }
  return {
    to: (next) => {
      child = next;
      counts = false;
      child.on('message', (message) => {
        if (message && typeof message.countsSignals === 'boolean') counts = message.countsSignals;
      });
      // Tells who listens that there is a launcher; a child that has not started hears nothing.
      child.send({ relayed: 'none' }, () => {});
      if (waiting !== null) pass(waiting);
    },
  };
}

/** npm ends its shell and waits no longer, so what the shell started has to notice by itself. */
function onOrphaned(act) {
  var before = starters();
  var timer = setInterval(() => {
    if (starters() === before) return;
    clearInterval(timer);
    act();
  }, 250);
  timer.unref();
}

/** The process that started this one, and where that is a shell, the one before it, which is npm. */
function starters() {
  var parent = process.ppid;
  var found;
  try {
    found = /\((.*)\) \S (\d+)/.exec(fs.readFileSync(`/proc/${parent}/stat`, 'utf8'));
    if (/^(ba|da|k|z)?sh$/.test(found[1])) return `${parent} ${found[2]}`;
  } catch {
    // Only Linux says so.
  }
  return `${parent}`;
}
