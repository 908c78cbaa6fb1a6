import type { Folder } from '../boundaries/folder.ts';
import { folders as everyFolder } from '../boundaries/folders.ts';
import { table } from './blocks.ts';

/** The folders of the project, what each contains and what it may import, from the data that the boundary check uses. */
export function folders(): string {
  const rows = everyFolder.map((folder) => [`\`${folder.path}\``, folder.contains, importsOf(folder)]);
  return table(['Folder', 'Contains', 'May import'], rows);
}

function importsOf({ imports }: Folder): string {
  if (imports === 'all folders') return imports;
  return imports.length === 0 ? 'nothing of the project' : imports.map((one) => `\`${one}\``).join(', ');
}
