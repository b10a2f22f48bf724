// Plain old syntax: this file has to run, and say what to do, on a Node that cannot parse the rest.

import minNodeVersion from './min-node-version.js';
import upgradeHint from './upgrade-hint.js';

var major = Number(process.versions.node.split('.')[0]);

if (!(major >= minNodeVersion)) {
  process.stderr.write(
    `Colophon needs Node ${minNodeVersion} or later; this is Node ${process.versions.node}.${upgradeHint(minNodeVersion)}\n`,
  );
  process.exit(1);
}
