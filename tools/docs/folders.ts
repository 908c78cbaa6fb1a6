import { folders as everyFolder } from '../boundaries/folders.ts';
import { table } from './blocks.ts';

/** The folders of the project and those in them, except those that a README of their own describes. */
export function topFolders(): string {
  const described = everyFolder.filter(
    ({ path }) => path.split('/').length <= 2 && !path.startsWith('load/'),
  );
  return table(
    ['Folder', 'Contains'],
    described.map(({ path, contains }) => [`\`${path}\``, contains]),
  );
}

/** What each folder in this one contains, from the data that the boundary check uses. */
export function foldersIn(parent: string): string {
  const start = `${parent}/`;
  const rows = everyFolder
    .filter(({ path }) => path.startsWith(start) && !path.slice(start.length).includes('/'))
    .map(({ path, contains }) => [`\`${path.slice(start.length)}\``, contains]);
  return table(['Folder', 'Contains'], rows);
}
