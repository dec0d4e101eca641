/** The door: loaded late, where the settings name a team's store. */
export { ResultCache } from './result-cache.ts';
export { SharedBucket } from './shared-bucket.ts';
export { SharedFolder } from './shared-folder.ts';
export { SharedResults } from './shared-results.ts';
export { SharedStore } from './shared-store.ts';
