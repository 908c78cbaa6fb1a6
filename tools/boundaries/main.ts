import { readFileSync } from 'node:fs';
import { filesEndingIn } from '../project-files.ts';
import { boundaryProblems } from './boundaries.ts';
import { folders } from './folders.ts';

// node --import tsx tools/boundaries/main.ts: fails where a file imports from a folder that its own folder must not know.

const problems = filesEndingIn(process.cwd(), '.ts').flatMap((file) =>
  boundaryProblems(folders, file, readFileSync(file, 'utf8')),
);
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(
    `${problems.length} imports cross a boundary; tools/boundaries/folders.ts says which folders may import which.`,
  );
  process.exit(1);
}
