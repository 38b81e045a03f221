import { queryOptions } from '@tanstack/react-query';
import { indexQuery } from '../api/reference.ts';
import { readReference } from '../reference/model/reference.ts';

/** The operations of the API, grouped by service and tag. */
export const referenceQuery = queryOptions({ ...indexQuery, select: readReference });
