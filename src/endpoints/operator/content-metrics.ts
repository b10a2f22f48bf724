/** The content that is served, as metrics: whether its folder is valid, when it last was, and what it holds. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ContentStatus } from '../../content/source.ts';

export interface ContentReport extends ContentStatus {
  /** What is served: of content and feed together. */
  readonly revision: string;
  /** What the log warned of when the revision was adopted. */
  readonly warnings: number;
  /** By kind. */
  readonly entries: ReadonlyMap<string, { readonly size: number }>;
  readonly dropped: ReadonlyMap<string, number>;
}

export function addContent(registry: Registry, content: () => ContentReport | null): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: (report: ContentReport) => number | null): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.remove();
        const report = content();
        const value = report === null ? null : read(report);
        if (value !== null) this.set(value);
      },
    });
  };
  gauge('colophon_content_errors', 'Errors in the content folder at its last reload.', ({ errors }) => errors);
  gauge(
    'colophon_content_last_reload_successful',
    '1 when the last reload found no error, otherwise 0.',
    ({ errors }) => (errors === 0 ? 1 : 0),
  );
  gauge(
    'colophon_content_last_reload_success_timestamp_seconds',
    'When the content folder was last read without an error, in Unix time.',
    ({ lastSuccessAt }) => (lastSuccessAt === null ? null : lastSuccessAt / 1000),
  );
  gauge('colophon_content_warnings', 'Warnings about the revision that is served.', ({ warnings }) => warnings);
  new Counter({
    name: 'colophon_content_reloads_total',
    help: 'Times that the content folder was read, by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      const report = content();
      if (report === null) return;
      this.inc({ outcome: 'succeeded' }, report.succeeded);
      this.inc({ outcome: 'failed' }, report.failed);
    },
  });
  new Gauge({
    name: 'colophon_content_info',
    help: 'Always 1; the label has the first 12 characters of the revision that is served.',
    labelNames: ['revision'],
    registers,
    collect() {
      this.reset();
      const report = content();
      if (report !== null) this.set({ revision: report.revision.slice(0, 12) }, 1);
    },
  });
  new Gauge({
    name: 'colophon_content_entries',
    help: 'Entries of the revision that is served, by kind.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset();
      for (const [kind, { size }] of content()?.entries ?? []) this.set({ kind }, size);
    },
  });
  new Counter({
    name: 'colophon_content_dropped_entries_total',
    help: 'Entries that a newer revision no longer had, by kind.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset();
      for (const [kind, count] of content()?.dropped ?? []) this.inc({ kind }, count);
    },
  });
}
