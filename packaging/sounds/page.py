"""The page that shows a bank."""

import html

from sounds.preset import SECTIONS

STYLE = """
body { background: #14161a; color: #d8dade; font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 1400px; padding: 0 1em }
h1, h2 { font-weight: 500 } a { color: #8ab4e8 } audio { width: 100%; height: 32px }
.sounds { display: grid; grid-template-columns: repeat(auto-fill, minmax(320px, 1fr)); gap: 1.2em }
.sound { background: #1c1f25; border-radius: 6px; padding: .8em } .sound img { width: 100%; height: 160px }
.sound h3 { margin: 0; font-weight: 500 } .tags { color: #8c9099 } .figures { font-size: 13px; color: #aab0ba }
.out { color: #f0a060 } td, th { padding: .1em .8em; text-align: right } td:first-child { text-align: left }
"""


def _sound(preset, figures, faults):
    name = html.escape(preset.name)
    near = f"{figures['distance']:.1f} dB to {html.escape(figures['nearest'])}" if figures.get("nearest") else ""
    lines = [
        f"{figures['loudness']:.1f} LUFS, {figures['peak']:.1f} dBTP at most, tail {figures['tail']:.1f} s",
        f"side over mid {figures['width']:.0f} dB, wheel {figures['wheel']:.0f}, pressure {figures['pressure']:.0f}, "
        f"velocity {figures['velocity']:.0f} dB",
        "{:.0f} dB from velocity 20 to 127".format(figures["reach"]),
        "equal strokes within {:.1f} dB at first, {:.1f} as a whole".format(*figures["strokes"]),
        near]
    return (
        f'<div class="sound"><h3>{preset.number or ""} {name}</h3><div class="tags">{html.escape(", ".join(preset.tags))}</div>'
        f'<p>{html.escape(preset.about)}</p><img src="{figures["file"]}.png" alt="spectrogram" loading="lazy">'
        f'<audio controls preload="none" src="{figures["file"]}.wav"></audio>'
        f'<div class="figures">{"<br>".join(lines)}</div>'
        f'<div class="out">{"<br>".join(html.escape(fault) for fault in faults)}</div></div>')


def page(presets, figures, faults, notes):
    """The whole page, with faults by name and notes about the bank."""
    parts = [f"<!doctype html><meta charset=utf-8><title>Presets</title><style>{STYLE}</style><h1>{len(presets)} presets</h1>"]
    parts.append("<ul>" + "".join(f"<li>{html.escape(note)}" for note in notes) + "</ul>")
    out = [p for p in presets if faults[p.name]]
    if out:
        parts.append("<h2>Out of the bars</h2><table>" + "".join(
            f'<tr><td>{html.escape(p.name)}<td class="out">{html.escape("; ".join(faults[p.name]))}' for p in out) + "</table>")
    for section, title in list(SECTIONS.items()) + [("", "Without a category")]:
        of_it = [p for p in presets if p.section == section]
        if of_it:
            sounds = "".join(_sound(p, figures[p.name], faults[p.name]) for p in of_it)
            parts.append(f'<h2>{title}</h2><div class="sounds">{sounds}</div>')
    return "\n".join(parts)
