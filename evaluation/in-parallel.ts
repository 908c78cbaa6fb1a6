/** Runs tasks, so many at a time, and returns their results in the order of the tasks. */
export async function inParallel<Task, Result>(
  tasks: readonly Task[],
  atOnce: number,
  run: (task: Task) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < tasks.length; at = next++) {
      const task = tasks[at];
      if (task !== undefined) results.set(at, await run(task));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, tasks.length) }, worker));
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
