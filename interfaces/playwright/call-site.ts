import { runInThisContext } from 'node:vm';

/**
 * Hands calls on so that Playwright reports them at the line that called `callee`. It names the file of the direct caller
 * of `test`, which would be a file in node_modules for every test of this package, and takes no location as an argument.
 */
export function callsFrom(callee: (...args: never[]) => unknown): <F extends object>(declare: F) => F {
  const usual = Error.prepareStackTrace;
  const holder: { stack?: unknown } = {};
  Error.prepareStackTrace = (_, [site]) => site;
  Error.captureStackTrace(holder, callee);
  const site = holder.stack as NodeJS.CallSite | undefined;
  Error.prepareStackTrace = usual;
  const place = {
    filename: site?.getFileName() ?? '',
    lineOffset: (site?.getLineNumber() ?? 1) - 1,
    columnOffset: (site?.getColumnNumber() ?? 1) - 1,
  };
  return runInThisContext('(declare) => (...args) => declare(...args)', place);
}
