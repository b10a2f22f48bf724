/** Log lines for people: the time of day, what happened, and the fields that matter. */
import type { Colour, Paint } from './terminal.ts';

const colours: Record<string, Colour> = { error: 'red', fatal: 'red', warn: 'yellow', info: 'cyan' };

/** One line of JSON in, one line of text out, both without a line end. What is no JSON object stays as it is. */
export function prettyLine(line: string, paint: Paint): string {
  const fields = parse(line);
  if (fields === null) return line;
  const { level, time, msg, ...rest } = fields;
  const name = String(level ?? 'info');
  const clock = paint('dim', String(time ?? '').slice(11, 19));
  const start = `${clock} ${paint(colours[name] ?? 'dim', name.padEnd(5))}`;
  return msg === 'request' ? `${start} ${request(rest, paint)}` : `${start} ${msg}${others(rest, paint)}`;
}

function request(fields: Record<string, unknown>, paint: Paint): string {
  const { method, path, status, duration_ms, code } = fields;
  const shown = paint(Number(status) >= 500 ? 'red' : Number(status) >= 400 ? 'yellow' : 'green', String(status));
  return `${shown} ${method} ${path} ${paint('dim', `${duration_ms} ms${code === undefined ? '' : ` ${code}`}`)}`;
}

/** An error's stack is on separate lines. */
function others(fields: Record<string, unknown>, paint: Paint): string {
  const { err, ...rest } = fields;
  const stack = typeof err === 'object' && err !== null ? Reflect.get(err, 'stack') : undefined;
  const pairs = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const shown = pairs.length === 0 ? '' : ` ${paint('dim', pairs.join(' '))}`;
  return stack === undefined ? shown : `${shown}\n${stack}`;
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
