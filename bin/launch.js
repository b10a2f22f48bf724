// Starts the Node that npm ci installed, or this one if that cannot start. Plain old syntax: Node 18 has to read it.
import childProcess from 'node:child_process';
import path from 'node:path';
import { hasLockedNode, installedNode, isRecent } from './installed-node.js';
import leastNode from './least-node.js';
import missingLibrary from './missing-library.js';
import relaySignals from './relay-signals.js';

/** Passes these arguments to Node, and ends as it does. */
export default function launch(words) {
  var relay = relaySignals();
  var installed = installedNode();
  if (installed === null) return startThis();
  start(installed, (code, signal) => {
    // A program may end like this too: the installed Node is tried once more, now that something went wrong.
    var missing = mayNotHaveStarted(code, signal) ? missingLibrary(installed) : null;
    if (missing === null) end(code, signal);
    else startThis(missing);
  });

  function startThis(missing) {
    if (!isRecent) {
      process.stderr.write(`${adviceOnNode(missing)}\n`);
      process.exit(1);
    }
    if (missing !== undefined) process.stderr.write(`${noteOnNode(missing)}\n`);
    start(process.execPath, end);
  }

  function start(program, onEnd) {
    // Programs that are started by their names (npm, npx, a script's first line) get the same Node.
    var names = path.dirname(program) + path.delimiter + (process.env.PATH || '');
    var env = Object.assign({}, process.env, { PATH: names });
    delete env.npm_lifecycle_event;
    var child = childProcess.spawn(program, words, { env: env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
    relay.to(child);
    child.once('error', () => onEnd(127, null));
    child.once('exit', onEnd);
  }
}

/** 127 is what a loader ends with, the large ones are Windows' own, and the signals come from a processor or loader. */
function mayNotHaveStarted(code, signal) {
  return code === 127 || code > 0xc0000000 || /^SIG(ABRT|BUS|ILL|SEGV|TRAP)$/.test(signal);
}

function end(code, signal) {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

function adviceOnNode(missing) {
  var least = `Node ${leastNode} or later`;
  var start = `Colophon needs ${least}. This is Node ${process.versions.node}`;
  if (missing === undefined)
    return hasLockedNode() ? `${start}: run npm ci, which installs one.` : `${start}: install ${least}.`;
  var ways = missing.remedy === null ? `install ${least}` : `${missing.remedy}, or install ${least}`;
  return `${start}, and the one that npm ci installed ${missing.cause}: ${ways}.`;
}

function noteOnNode(missing) {
  var note = `Colophon runs on Node ${process.versions.node}, because the one that npm ci installed ${missing.cause}.`;
  return missing.remedy === null ? note : `${note} To use that one, ${missing.remedy}.`;
}
