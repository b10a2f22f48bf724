// Finds the Node from the lock file, and decides which Node runs the program. The syntax is old, because Node 18 has to read it.
import fs from 'node:fs';
import path from 'node:path';
import url from 'node:url';
import minNodeVersion from './min-node-version.js';

var project = path.dirname(path.dirname(url.fileURLToPath(import.meta.url)));
var windows = process.platform === 'win32';

/** True if this Node runs TypeScript and has the modules that the program needs. */
export var isRecent = Number(process.versions.node.split('.')[0]) >= minNodeVersion;

/** Returns the path of the Node that npm ci installed for this platform, or null. */
export function installedNode() {
  var program = windows ? 'node.exe' : 'node';
  var programs = listPackageNames().map((name) => path.join(project, 'node_modules', name, 'bin', program));
  return programs.find((file) => fs.existsSync(file)) || null;
}

/** Returns whether the lock file has a Node for this platform. */
export function hasLockedNode() {
  var manifest = JSON.parse(fs.readFileSync(path.join(project, 'package.json'), 'utf8'));
  return listPackageNames().some((name) => name in manifest.optionalDependencies);
}

/**
 * Returns whether this Node runs the program itself. A recent Node that the user named does; npx takes any Node in the path, which
 * nobody named.
 */
export function runsHere() {
  if (!isRecent) return false;
  var installed = process.env.npm_lifecycle_event === 'npx' ? installedNode() : null;
  return installed === null || fs.realpathSync(installed) === fs.realpathSync(process.execPath);
}

function listPackageNames() {
  var platform = `${windows ? 'win' : process.platform}-${process.arch}`;
  return [`node-${platform}`, `node-bin-${platform}`];
}
