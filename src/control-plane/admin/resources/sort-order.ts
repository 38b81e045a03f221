import type { Order } from '../../../storage/sorted-page.ts';

type Unsigned<Sort extends string> = Sort extends `-${infer Field}` ? Field : Sort;

/** Parses the parameter `sort`: a field, with a minus sign for descending order. */
export function parseOrder<Sort extends string>(sort: Sort): Order<Unsigned<Sort>> {
  const descending = sort.startsWith('-');
  return { by: (descending ? sort.slice(1) : sort) as Unsigned<Sort>, descending };
}
