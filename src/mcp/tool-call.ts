/** tools/call: arguments checked strictly, then run; what a tool cannot answer is a result that says what to do next. */
import { ApiError } from '../base/api-error.ts';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { quote } from '../operations/input.ts';
import type { Tool } from './mcp-server.ts';
import { isMembers } from './message.ts';
import { invalidParams } from './protocol.ts';
import type { Method, Result } from './result.ts';

export function createToolCall(tools: readonly Tool[]): Method {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  return async ({ name, arguments: given }, sessionless) => {
    const sent = given ?? {};
    if (typeof name !== 'string') throw invalidParams('params.name is required: the name of a tool.');
    const tool = byName.get(name);
    if (tool === undefined) throw unknownTool(name, [...byName.keys()]);
    if (!isMembers(sent)) throw invalidParams('params.arguments must be an object.');
    let run: ReturnType<Tool['accept']>;
    try {
      run = tool.accept(sent);
    } catch (error) {
      // Up to 2025-06-18 arguments that break the schema are a protocol error; later versions tell the model.
      if (!sessionless || !(error instanceof ApiError)) throw error;
      return failure(`${error.reason}${everyFault(error)} Correct the arguments and call ${name} again.`);
    }
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'internal_error') throw error;
      return failure([error.reason, tool.advice[error.code]].filter((part) => part !== undefined).join(' '));
    }
  };
}

const failure = (text: string): Result => ({ fields: { content: [{ type: 'text', text }], isError: true } });

/** When there are several, the error's own sentence only counts them. */
function everyFault({ options: { errors = [] } }: ApiError): string {
  return errors.length < 2 ? '' : errors.map(({ detail }) => ` ${detail}`).join('');
}

function unknownTool(name: string, names: readonly string[]): Error {
  const suggestions = nearMisses(name, names);
  return invalidParams(`Unknown tool: ${quote(name)}.${didYouMean(suggestions)} tools/list has every tool.`, {
    suggestions,
  });
}
