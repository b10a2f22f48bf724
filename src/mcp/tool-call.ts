/** Answers tools/call: a failure after the arguments were checked is a result that says what to do next. */
import { LRUCache } from 'lru-cache';
import { ApiError } from '../base/api-error.ts';
import type { Tool } from './mcp-server.ts';
import { findByName, readArgumentsObject } from './params.ts';
import { describeFaults, type Method, type Result } from './result.ts';

/** Maximum number of characters in the cached results of one server and revision, keys included. */
const maxCachedCharacters = 8_000_000;

/**
 * Creates the method `tools/call`, which returns the failure of a tool as a result with `isError`. It rejects for an unknown tool
 * and for arguments that are no object (-32602), for an internal error and, before 2026-07-28, for wrong arguments
 * (`invalid_request`). It caches successful results, which depend only on the revision and the arguments, up to 8,000,000
 * characters in all and 1,000,000 each: a call that is repeated takes a third of the processor time.
 */
export function createToolCall(tools: readonly Tool[]): Method {
  const results = new LRUCache<string, Result>({
    maxSize: maxCachedCharacters,
    maxEntrySize: maxCachedCharacters / 8,
    sizeCalculation: ({ json = '' }, key) => key.length + json.length,
  });
  return async ({ name, arguments: sent }, sessionless) => {
    const tool = findByName('tool', tools, name);
    const input = readArgumentsObject(sent);
    const key = `${name} ${JSON.stringify(input)}`;
    const cachedResult = results.get(key);
    if (cachedResult !== undefined) return cachedResult;
    let run: ReturnType<Tool['accept']>;
    try {
      run = tool.accept(input);
    } catch (error) {
      // Up to 2025-06-18, invalid arguments are a protocol error; later versions return a result that the model sees.
      if (!sessionless || !(error instanceof ApiError)) throw error;
      return createFailure(`${describeFaults(error)} Correct the arguments and call ${name} again.`);
    }
    try {
      const result = await run();
      results.set(key, { ...result, json: JSON.stringify(result.fields) });
      return result;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'internal_error') throw error;
      const advice = tool.advice[error.code];
      return createFailure(advice === undefined ? error.reason : `${error.reason} ${advice}`);
    }
  };
}

const createFailure = (text: string): Result => ({ fields: { content: [{ type: 'text', text }], isError: true } });
