import { useEffect, useState } from 'react';
import { indexFields, isIndexed } from './search.ts';
import type { Reference } from './reference.ts';

/** How long fields are read in one go: a longer task would be noticed while typing. */
const SLICE_MS = 12;

/** Makes fields findable, a few operations at a time; what uses it is rendered again when all are. */
export function useFieldIndex(reference: Reference | undefined): void {
  const [, setIndexed] = useState(false);
  useEffect(() => {
    if (reference === undefined || isIndexed(reference)) return undefined;
    const steps = indexFields(reference);
    let timer = setTimeout(work);
    function work() {
      const until = performance.now() + SLICE_MS;
      while (performance.now() < until) {
        if (steps.next().done === true) {
          setIndexed(true);
          return;
        }
      }
      timer = setTimeout(work);
    }
    return () => clearTimeout(timer);
  }, [reference]);
}
