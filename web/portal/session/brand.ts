import { accentColors } from './accent.ts';

/** Gives the pages the color of the team. If it is invalid, the portal keeps its own color. */
export function applyAccent(accent: string): void {
  const colors = accentColors(accent);
  if (colors === null) return;
  const tokens = {
    '--accent': `light-dark(${colors.light}, ${colors.dark})`,
    '--accent-solid': `light-dark(${colors.light}, ${colors.dark})`,
    '--accent-hover': `light-dark(${colors.lightHover}, ${colors.darkHover})`,
    '--selected':
      'light-dark(color-mix(in srgb, var(--accent) 9%, var(--page)), color-mix(in srgb, var(--accent) 16%, var(--page)))',
  };
  for (const [name, value] of Object.entries(tokens)) document.documentElement.style.setProperty(name, value);
}
