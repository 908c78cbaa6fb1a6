import { sampleOf } from './sample.ts';

/** A tool that few tests need. */
interface RareTool {
  readonly tool:
    | 'chromium'
    | 'schemathesis'
    | 'flask-limiter'
    | 'in-toto'
    | 'redis'
    | 'prometheus'
    | 'operator-check';
  /** The test files of its day: those about it, and others that take as long. Single tests of other files run where a tool is at hand. */
  readonly files: readonly string[];
}

/** One for each day of the week: providing all of them takes longer than all other tests. */
const RARE_TOOLS: readonly RareTool[] = [
  { tool: 'chromium', files: ['reports/html/browser.test.ts', 'reports/load/browser.test.ts'] },
  { tool: 'schemathesis', files: ['evaluation/third-party/schemathesis.test.ts'] },
  { tool: 'flask-limiter', files: ['evaluation/third-party/limiters.test.ts'] },
  { tool: 'in-toto', files: ['evaluation/package/package.test.ts'] },
  { tool: 'redis', files: ['evaluation/load/runners.test.ts'] },
  {
    tool: 'prometheus',
    files: ['evaluation/load/watch.test.ts', 'interfaces/playwright/foreign-project.test.ts'],
  },
  {
    tool: 'operator-check',
    files: ['load/operator/manifests.test.ts', 'interfaces/playwright/options.test.ts'],
  },
];

/** The tools of this sample. */
const sampled = sampleOf(RARE_TOOLS);

/** Whether the sample has this tool. */
export const isToolOfDay = (name: string): boolean => sampled.some(({ tool }) => tool === name);

/** These test files without those about a tool of another day. */
export function withoutOtherDays(files: readonly string[]): readonly string[] {
  const ofOtherDays = new Set(
    RARE_TOOLS.filter(({ tool }) => !isToolOfDay(tool)).flatMap((one) => one.files),
  );
  return files.filter((file) => !ofOtherDays.has(file));
}
