import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accentColors, contrast, parseHex } from './accent.ts';

const at = (hex: string) => parseHex(hex) ?? [0, 0, 0];

/**
 * Teams set the color of their brand without checking whether links in it are readable, so the portal has to ensure
 * that.
 */
test('text on and in any color is readable in light and dark mode', () => {
  const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(hex, (color) => {
      const colors = accentColors(color);
      expect(contrast(at(colors?.light ?? ''), at('#ffffff'))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(at(colors?.dark ?? ''), at('#171a1f'))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(at(colors?.lightHover ?? ''), at('#ffffff'))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(at(colors?.darkHover ?? ''), at('#0d0f12'))).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('a readable color stays unchanged', () => {
  expect(accentColors('#0a5d3c')?.light).toBe('#0a5d3c');
  expect(accentColors('#fff')?.dark).toBe('#ffffff');
});

test.each(['red', '#12345', '', '#12345g', 'rgb(1,2,3)'])('%j is not a color', (text) => {
  expect(accentColors(text)).toBeNull();
});
