/** A log line as text for people: the time of day, the event, and its fields. */
import type { Color, Paint } from './terminal.ts';

const colors: Readonly<Record<string, Color>> = { error: 'red', fatal: 'red', warn: 'yellow', info: 'cyan' };

/** Turns one line of JSON into one line of text, both without line ends. A line that is no JSON object stays as it is. */
export function formatLine(line: string, paint: Paint): string {
  const entry = parseObject(line);
  if (entry === null) return line;
  const { level = 'info', time = '', msg, ...fields } = entry;
  const start = `${paint('dim', String(time).slice(11, 19))} ${paint(colors[String(level)] ?? 'dim', String(level).padEnd(5))}`;
  return `${start} ${msg === 'request' ? formatRequest(fields, paint) : `${msg}${formatFields(fields, paint)}`}`;
}

function formatRequest({ method, path, status, duration_ms, code }: Record<string, unknown>, paint: Paint): string {
  const color = Number(status) >= 500 ? 'red' : Number(status) >= 400 ? 'yellow' : 'green';
  const time = `${duration_ms} ms${code === undefined ? '' : ` ${code}`}`;
  return `${paint(color, String(status))} ${method} ${path} ${paint('dim', time)}`;
}

/** The stack of an error follows on separate lines. */
function formatFields({ err, ...fields }: Record<string, unknown>, paint: Paint): string {
  const pairs = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const stack = typeof err === 'object' && err !== null ? Reflect.get(err, 'stack') : undefined;
  return `${pairs.length === 0 ? '' : ` ${paint('dim', pairs.join(' '))}`}${stack === undefined ? '' : `\n${stack}`}`;
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
