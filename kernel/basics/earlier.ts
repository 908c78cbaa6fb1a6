/** How the folders are named into which files of an earlier run are moved, beside those of the run that takes their place. */
export const EARLIER = 'earlier-';
