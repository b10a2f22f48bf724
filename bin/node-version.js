// Plain old syntax: this file has to run, and say what to do, on a Node that cannot parse the rest.
import laterNode from './later-node.js';
import leastNode from './least-node.js';

var major = Number(process.versions.node.split('.')[0]);

if (!(major >= leastNode)) {
  process.stderr.write(
    `Colophon needs Node ${leastNode} or later; this is Node ${process.versions.node}.${laterNode(leastNode)}\n`,
  );
  process.exit(1);
}
