// Starts the Node that npm ci installed, or this one if that cannot start. Plain old syntax: Node 18 has to read it.
import childProcess from 'node:child_process';
import path from 'node:path';
import { hasLockedNode, installedNode, isRecent } from './installed-node.js';
import minNodeVersion from './min-node-version.js';
import relaySignals from './relay-signals.js';

/** Passes these arguments to Node, and ends as it does. */
export default function launch(args) {
  var relay = relaySignals();
  var installed = installedNode();
  if (installed === null) return startThis('');
  start(installed, (code, signal) => {
    // A program may end like this too: the installed Node is tried once more, now that something went wrong.
    var failure = mayNotHaveStarted(code, signal) ? startFailure(installed) : null;
    if (failure === null) end(code, signal);
    else startThis(failure);
  });

  function startThis(failure) {
    if (!isRecent) {
      process.stderr.write(`${writeAdvice(failure)}\n`);
      process.exit(1);
    }
    if (failure !== '')
      process.stderr.write(
        `Colophon runs on Node ${process.versions.node}, because the one that npm ci installed ${failure}.\n`,
      );
    start(process.execPath, end);
  }

  function start(program, onEnd) {
    // Programs that are started by their names (npm, npx, a script's first line) get the same Node.
    var names = path.dirname(program) + path.delimiter + (process.env.PATH || '');
    var env = Object.assign({}, process.env, { PATH: names });
    delete env.npm_lifecycle_event;
    var child = childProcess.spawn(program, args, { env: env, stdio: 'inherit' });
    relay.to(child);
    child.once('error', () => onEnd(127, null));
    child.once('exit', onEnd);
  }
}

/** 127 is what a loader ends with, the large ones are Windows' own, and the signals come from a processor or loader. */
function mayNotHaveStarted(code, signal) {
  return code === 127 || code > 0xc0000000 || /^SIG(ABRT|BUS|ILL|SEGV|TRAP)$/.test(signal);
}

/** Tries the program once. Returns null if it starts, otherwise the end of a sentence that says why not. */
function startFailure(program) {
  var trial = childProcess.spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (trial.status === 0) return null;
  if (/libatomic/.test(trial.stderr || '')) return 'needs libatomic (Debian and Ubuntu: apt-get install libatomic1)';
  return `cannot start here (${trial.error ? trial.error.message : (trial.stderr || '').trim() || trial.signal || trial.status})`;
}

function end(code, signal) {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

function writeAdvice(failure) {
  var least = `Node ${minNodeVersion} or later`;
  var start = `Colophon needs ${least}. This is Node ${process.versions.node}`;
  if (failure !== '') return `${start}, and the one that npm ci installed ${failure}: install that, or ${least}.`;
  return hasLockedNode() ? `${start}: run npm ci, which installs one.` : `${start}: install ${least}.`;
}
