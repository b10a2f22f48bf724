/** Creates docs/settings.md from the schema with which the server reads its settings: every setting with its default. */
import { settings } from '../src/config/settings.ts';

/** Returns the Markdown of docs/settings.md. */
export function formatSettingsPage(): string {
  const rows = settings.map(({ name, defaultText, help }) => {
    const preset = defaultText === null ? '' : `\`${defaultText}\``;
    return `| \`${name}\` | ${preset} | ${help.replaceAll('|', '\\|')} |`;
  });
  return `<!-- Written by npm run openapi; do not edit. -->

# Settings

Look up each setting of a server, its default and what it does. Set it as an environment variable, or in a YAML file whose path is in the variable
\`COLOPHON_CONFIG\`. If both have a setting, the environment takes precedence.

\`\`\`yaml
base_url: https://api.example.com
content_dir: /srv/larder
trust_proxy: 127.0.0.1
\`\`\`

- In the file, names are lowercase. Relative paths there are relative to the file; in the environment, they are relative to the working directory.
- \`colophon config\` prints every setting with its value and source, as a file to start from.
- The server does not start if a setting is invalid: it lists all errors at once and exits with code 78. An unknown name in the file is an error, and so is
  an unknown variable that starts with \`COLOPHON_\` or \`RATE_LIMIT_\`.

[install.md](install.md#before-you-go-public) has the settings of a public server. [proxy.md](proxy.md) explains \`TRUST_PROXY\`, [scaling.md](scaling.md) several
processes, [storage.md](storage.md) \`DATABASE_URL\`, [operating.md](operating.md) the admin listener and a change of the secret key,
[mcp.md](mcp.md#a-host-name-for-mcp-only) \`MCP_BASE_URL\`, and [credentials.md](credentials.md#identity-providers) \`ASSERTION_ISSUERS_FILE\`.

| Setting | Default | Meaning |
|---|---|---|
${rows.join('\n')}
`;
}
