import type { Setting } from '../../api/system.ts';

/** Formats the value of a setting in words. Null if the setting is not set. */
export function formatSetting({ value, secret }: Pick<Setting, 'value' | 'secret'>): string | null {
  if (value === null || value === undefined || (secret && value === 'not set')) return null;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ');
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'none' : JSON.stringify(value);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
