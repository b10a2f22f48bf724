// What a clone says about coming by a later Node; the package says another thing. Plain old syntax, like what imports it.
export default function laterNode(least) {
  return `\nRun it through npm (npm start), which uses the Node that npm ci installed, or install Node ${least} or later.`;
}
