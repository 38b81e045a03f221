import { queryOptions } from '@tanstack/react-query';
import { documentQuery } from '../api/reference.ts';
import { readReference } from '../reference/model/reference.ts';

/** The API as it is shown. */
export const referenceQuery = queryOptions({ ...documentQuery, select: readReference });
