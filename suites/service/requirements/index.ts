import type { Observable, Requirement } from '../evidence/evidence.ts';
import { authentication, openAuthentication } from './authentication.ts';
import { createCategory, openCreationsObserved } from './create-category.ts';
import { limitEnforcement, openLimits } from './limit-enforcement.ts';
import { listCategories, openLists } from './list-categories.ts';
import { mediaAndHttp } from './media-and-http.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { openBans, retryAfterAndBan } from './retry-after-and-ban.ts';
import { openErrors, schemas } from './schemas.ts';
import { openDeprecation, openStability, versionAndDeprecation } from './version-and-deprecation.ts';

/** Every requirement that is judged, by chapter. The register says in which order people see them. */
export const requirements: readonly Requirement[] = [
  ...mediaAndHttp,
  ...listCategories,
  ...createCategory,
  ...schemas,
  ...authentication,
  ...rateLimitHeaders,
  ...limitEnforcement,
  ...retryAfterAndBan,
  ...versionAndDeprecation,
];

export const observables: readonly Observable[] = [
  openLists,
  openCreationsObserved,
  openErrors,
  openAuthentication,
  openLimits,
  openBans,
  openDeprecation,
  openStability,
];
