import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A client in one file that conforms, for a vendor to adapt. */
export interface ClientTemplate {
  readonly language: 'node' | 'python' | 'go' | 'java' | 'sh';
  /** What it is written with, for a person. */
  readonly title: string;
  readonly path: string;
  /** Compiles the file `source` to the file or folder `target`; absent where the language starts from its source. */
  readonly compile?: (source: string, target: string) => readonly string[];
  /** Starts it: from its source, or from what `compile` wrote. */
  readonly start: (path: string) => readonly string[];
}

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** The exemplary client, which `certify-client` tests where it is given no command; also the template for Node. */
export const exemplaryClient: ClientTemplate = {
  language: 'node',
  title: 'Node with fetch',
  path: pathOf('client.mjs'),
  start: (path) => [process.execPath, path],
};

export const templates: readonly ClientTemplate[] = [
  exemplaryClient,
  {
    language: 'python',
    title: 'Python with urllib',
    path: pathOf('client.py'),
    start: (path) => ['python3', path],
  },
  {
    language: 'go',
    title: 'Go with net/http',
    path: pathOf('client.go'),
    compile: (source, target) => ['go', 'build', '-o', target, source],
    start: (path) => [path],
  },
  {
    language: 'java',
    title: 'Java with java.net.http',
    path: pathOf('Client.java'),
    compile: (source, target) => ['javac', '-d', target, source],
    start: (path) => ['java', '-cp', path, 'Client'],
  },
  { language: 'sh', title: 'sh with curl', path: pathOf('client.sh'), start: (path) => ['sh', path] },
];

export const templateText = ({ path }: ClientTemplate): string => readFileSync(path, 'utf8');
