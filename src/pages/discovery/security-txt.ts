/** Writes `/.well-known/security.txt` (RFC 9116): where to report a vulnerability. */
import type { Site } from '../site.ts';

const dayMs = 86_400_000;

/**
 * Returns the text, or null if the vendor has no mail address. It expires on the day that product.yaml names, else 364 days after
 * the day of the server's build, whatever the time is, so that every server sends the same text.
 */
export function writeSecurityTxt(site: Site): string | null {
  const { vendor, links } = site.product;
  const contact = vendor.security_email ?? vendor.email;
  if (contact === undefined) return null;
  const { apiVersion } = site.production.service;
  const expires = vendor.security_expires ?? new Date(Date.parse(apiVersion) + 364 * dayMs).toISOString().slice(0, 10);
  return `${[
    `Contact: mailto:${contact}`,
    `Expires: ${expires}T00:00:00Z`,
    'Preferred-Languages: en',
    `Canonical: ${site.baseUrl}/.well-known/security.txt`,
    ...(links['security-policy'] === undefined ? [] : [`Policy: ${links['security-policy']}`]),
  ].join('\n')}\n`;
}
