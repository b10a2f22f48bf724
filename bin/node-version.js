// Plain old syntax: this file has to run, and say what to do, on a Node that cannot parse the rest.
import laterNode from './later-node.js';

var least = 24;
var major = Number(process.versions.node.split('.')[0]);

if (!(major >= least)) {
  process.stderr.write(
    `Colophon needs Node ${least} or later; this is Node ${process.versions.node}.${laterNode(least)}\n`,
  );
  process.exit(1);
}
