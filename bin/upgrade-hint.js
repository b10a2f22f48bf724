// The advice on how to get a later Node in a clone; the package has another text. The syntax is old, as in the files that import it.
/** Returns the advice, which follows the message that this Node is too old. */
export default function upgradeHint(minVersion) {
  return `\nRun it through npm (npm start), which uses the Node that npm ci installed, or install Node ${minVersion} or later.`;
}
