/** Runs the modules that the parent process sends, one after the other in one process, and sends back the output of each. */
import process from 'node:process';

let output = '';
process.stdout.write = (chunk) => {
  output += chunk;
  return true;
};

let moduleCount = 0;
process.on('message', async (code) => {
  output = '';
  // Node runs a module once for each URL, so the number makes the URL of each module different.
  moduleCount += 1;
  const url = `data:text/javascript,${encodeURIComponent(`${code}\n// ${moduleCount}`)}`;
  const error = await import(url).then(
    () => null,
    (thrown) => String(thrown?.stack ?? thrown),
  );
  process.send?.({ output, error });
});
