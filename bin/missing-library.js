// Why the Node from the lock file does not start here, and what to install. Plain old syntax: Node 18 has to read it.
import childProcess from 'node:child_process';
import fs from 'node:fs';

/** For each distribution or its parent, in its own words. */
var installers = [
  { of: /^(debian|ubuntu)$/, command: 'apt-get install', libatomic: 'libatomic1' },
  { of: /^(fedora|rhel|centos|amzn)$/, command: 'dnf install', libatomic: 'libatomic' },
  { of: /^(suse|opensuse.*|sles)$/, command: 'zypper install', libatomic: 'libatomic1' },
  { of: /^arch$/, command: 'pacman -S', libatomic: 'gcc-libs' },
];

/** Tries `program` once; null if it starts, else the cause and the remedy as halves of a sentence. */
export default function missingLibrary(program) {
  var tried = childProcess.spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (tried.status === 0) return null;
  var library = (/while loading shared libraries: ([^:\s]+)/.exec(tried.stderr || '') || [])[1];
  if (library === undefined) return { cause: `cannot start here (${reasonOf(tried)})`, remedy: null };
  return { cause: `cannot start without ${library}`, remedy: remedyFor(library) };
}

function remedyFor(library) {
  var installer = /^libatomic\./.test(library) ? installerHere() : undefined;
  if (installer === undefined) return `install the package that contains ${library}`;
  return `run ${installer.command} ${installer.libatomic}`;
}

function installerHere() {
  var names = distribution();
  return installers.find((one) => names.some((name) => one.of.test(name)));
}

/** Its name and those of the distributions that it is made from; none where nothing says so. */
function distribution() {
  var text;
  try {
    text = fs.readFileSync('/etc/os-release', 'utf8');
    return Array.from(text.matchAll(/^ID(?:_LIKE)?=(.*)$/gm)).flatMap((found) => found[1].replace(/"/g, '').split(' '));
  } catch {
    return [];
  }
}

function reasonOf(tried) {
  if (tried.error) return tried.error.message;
  var lines = (tried.stderr || '').trim().split('\n');
  return lines[lines.length - 1] || `exit code ${tried.status || tried.signal}`;
}
