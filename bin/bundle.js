// Finds the bundle that `colophon bundle` made, if it was made from exactly the files that are here now. Plain old syntax, like what imports it.
import fs from 'node:fs';
import path from 'node:path';
import url from 'node:url';

var project = path.dirname(path.dirname(url.fileURLToPath(import.meta.url)));
var folder = path.join(project, 'node_modules', '.cache', 'colophon', 'bundle');

/** The URL of the bundled main module, or null: then the program is loaded from its own files, which takes three times as long. */
export function bundledMain(command) {
  var bundle;
  if (command !== 'serve') return null;
  try {
    bundle = JSON.parse(fs.readFileSync(path.join(folder, 'bundle.json'), 'utf8'));
    if (bundle.root !== project || !bundle.files.every(isUnchanged)) return null;
    return url.pathToFileURL(path.join(folder, bundle.name, 'main.js')).href;
  } catch {
    return null;
  }
}

/** By size and time, since reading hundreds of files would take back what the bundle saves. */
function isUnchanged(file) {
  var found = fs.statSync(path.join(project, file.path), { throwIfNoEntry: false });
  return found !== undefined && found.size === file.size && Math.floor(found.mtimeMs / 1000) === file.modified;
}
