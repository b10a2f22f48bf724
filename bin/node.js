// `node bin/node.js …` is `node …` on the Node that npm ci installed: the first word of every script in package.json.
import launch from './launch.js';

launch(process.argv.slice(2));
