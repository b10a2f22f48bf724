/** redirects.yaml and the aliases of pages: their shape. */
import { z } from 'zod';

const oldPath = z
  .string()
  .regex(/^\/(?!\/)[^\s?#]*$/, 'must be a path such as `/guide/install`, without a query or a fragment')
  .max(500);

export const aliasesSchema = z.array(oldPath).max(100);

export const redirectsSchema = z
  .strictObject({
    redirects: z
      .array(
        z.strictObject({
          from: oldPath.describe('The old path; `/*` at its end stands for every path below.'),
          to: z
            .string()
            .regex(/^(\/(?!\/)|https?:\/\/[^\s/])\S*$/, 'must be a path of the site, or an http or https URL')
            .max(500)
            .describe(
              'Where it is now; `/*` at its end takes over what `/*` of the old path stood for; another host gets it as it was sent, with the query.',
            ),
        }),
      )
      .max(20_000),
  })
  .describe('Old URLs and where their content is now; each returns a 308.');

export interface Redirect {
  readonly from: string;
  readonly to: string;
}
