/** Writes docs/settings.md: every setting with its default, from the schema that the server reads them with. */
import { settings } from '../src/config/settings.ts';

/** Returns the Markdown of docs/settings.md. */
export function settingsPage(): string {
  const rows = settings.map(({ name, defaultText, help }) => {
    const preset = defaultText === null ? '' : `\`${defaultText}\``;
    return `| \`${name}\` | ${preset} | ${help.replaceAll('|', '\\|')} |`;
  });
  return `# Settings

\`npm run openapi\` writes this page from \`src/config/settings.ts\`.

Settings come from the environment and from the YAML file that \`COLOPHON_CONFIG\` names; the environment wins. In the file, names are lowercase
(\`base_url\`), and paths are relative to the file; in the environment, paths are relative to the working directory. An unknown name in the file is
rejected with the closest match, and so is an unknown variable that starts with \`COLOPHON_\` or \`RATE_LIMIT_\`. All errors are listed at once,
with exit code 78. \`colophon config\` prints a file to start from, and each value with its source.

| Setting | Default | Meaning |
|---|---|---|
${rows.join('\n')}
`;
}
