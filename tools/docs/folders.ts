import { folders as everyFolder } from '../boundaries/folders.ts';
import { table } from './blocks.ts';

/**
 * What each folder contains, from the data that the boundary check uses.
 * @param parent the folder whose own folders are wanted; the root of the project by default.
 */
export function foldersIn(parent = '.'): string {
  const start = parent === '.' ? '' : `${parent}/`;
  const rows = everyFolder
    .filter(({ path }) => path.startsWith(start) && !path.slice(start.length).includes('/'))
    .map(({ path, contains }) => [`\`${path.slice(start.length)}\``, contains]);
  return table(['Folder', 'Contains'], rows);
}
