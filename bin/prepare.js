// What npm runs after it has installed the packages of a clone: it bundles the server. Without a bundle the server only starts later, so nothing here fails.
import childProcess from 'node:child_process';
import path from 'node:path';
import url from 'node:url';

var project = path.dirname(path.dirname(url.fileURLToPath(import.meta.url)));
childProcess.spawnSync(process.execPath, ['bin/node.js', 'bin/colophon.js', 'bundle', '--quiet'], {
  cwd: project,
  stdio: 'inherit',
});
