import { z } from 'zod';
import { ALWAYS, isAbove } from '../base/zod-checks.ts';
import { size } from '../base/units.ts';

/** `validation`: limits for bodies that are compared with the document of their service. */
export const validationSettings = z
  .strictObject({ maxBody: size.prefault('256kb'), maxBuffered: size.prefault('64mb') })
  .refine((given) => !isAbove(given?.maxBody, given?.maxBuffered), {
    ...ALWAYS,
    path: ['maxBody'],
    message: 'must not be greater than validation.maxBuffered, which limits all bodies together',
  })
  .prefault({});
