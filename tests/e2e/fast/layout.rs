//! Controls are in sight at a large and at a small window, in both themes.

use anyhow::{Result, bail};
use serde_json::{Value, json};
use sonde_tests::{steps::*, window::Window};

const GREETS: &str = "Say hello to the keeper";

/// Finds controls in wrong places and answers a sentence for each: `arguments[0]` has pairs of a name and a selector with an
/// expected number of elements, where one that is not there, or not in sight, or covered, or that overlaps another is wrong.
const PLACES: &str = r#"
const found = [];
const wrong = [];
for (const [name, selector, least] of arguments[0]) {
  const elements = [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length > 0);
  if (elements.length < least) wrong.push(`${name}: ${elements.length} of ${least} are there`);
  for (const [at, element] of elements.entries()) {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const label = `${name} ${at + 1} (${element.innerText.replace(/\s+/g, " ").trim().slice(0, 30)})`;
    found.push({ label, element, left, top, right, bottom });
    if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)
      wrong.push(`${label} is out of the window: ${[left, top, right, bottom].map(Math.round)}`);
    // Whatever lies over one of its corners takes the clicks.
    for (const [x, y] of [[left + 3, top + 3], [right - 3, top + 3], [left + 3, bottom - 3], [right - 3, bottom - 3], [(left + right) / 2, (top + bottom) / 2]]) {
      const hit = document.elementFromPoint(x, y);
      if (!hit || !(element.contains(hit) || hit.contains(element)))
        wrong.push(`${label} is covered at ${Math.round(x)}, ${Math.round(y)} by ${hit?.outerHTML.slice(0, 80)}`);
    }
    // Words that do not fit would run out of it.
    if (element.matches("button") && element.scrollWidth > element.clientWidth + 1)
      wrong.push(`${label} is ${element.clientWidth} wide and needs ${element.scrollWidth}`);
  }
}
for (const [at, one] of found.entries())
  for (const other of found.slice(at + 1)) {
    if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
    const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (width > 1 && height > 1) wrong.push(`${one.label} and ${other.label} overlap`);
  }
if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is wider than the window");
return wrong;
"#;

/// Waits until everything fits: what is laid out anew meanwhile is looked at again.
async fn everything_fits(window: &Window, place: &str, controls: Value) -> Result<()> {
    let fits = format!("return (function () {{ {PLACES} }})(...arguments).length === 0");
    let waited = window
        .until_with(place, &fits, vec![controls.clone()])
        .await;
    if waited.is_err() {
        let wrong = window.js(PLACES, vec![controls]).await?;
        bail!("{place}: {wrong:#}");
    }
    Ok(())
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn controls_are_in_sight_in_large_and_small_windows_light_and_dark() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    select_tool(&window, GREETS).await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "Mind the stairs").await?;
    // Both fonts are those that come with the app, not what the system has in their place.
    window
        .until(
            "the fonts of the app",
            "const loaded = [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('\"', ''));
             return ['Inter', 'JetBrains Mono'].every((name) => loaded.includes(name) && document.fonts.check(`14px '${name}'`))",
        )
        .await?;
    let around = [
        json!(["header", "main header h1", 1]),
        json!(["state", "main header [data-state]", 1]),
        json!(["header button", "main header button", 3]),
        json!([
            "tab",
            "main [role=tablist][aria-label='Server views'] [role=tab]",
            8
        ]),
        json!([
            "sidebar button",
            "nav button[aria-label=Settings], nav button[aria-label=Help]",
            2
        ]),
    ];
    let form = json!(["Run", "[data-run]", 1]);
    let result = json!([
        "run",
        "[aria-label='Runs, newest first'] [data-card-head]",
        1
    ]);
    let search = json!([
        "search of the tools",
        "input[role=searchbox][aria-label='Search tools']",
        1
    ]);
    for theme in ["Light", "Dark"] {
        choose_theme(&window, theme).await?;
        for (width, height) in [(1600, 1000), (1280, 800), (900, 600)] {
            window.resize(width, height).await?;
            window.find("button", "Run").await?;
            let place = format!("{theme}, {width}x{height}");
            let tools = [&around[..], &[form.clone(), result.clone(), search.clone()]].concat();
            everything_fits(&window, &place, json!(tools)).await?;
            window
                .shot(&format!("fits-{theme}-{width}").to_lowercase())
                .await?;
            for tab in ["Resources…", "Wire log", "Connection…"] {
                window.click_native("tab", tab).await?;
                everything_fits(&window, &format!("{tab}, {place}"), json!(around)).await?;
            }
            // None is cut or needs to be scrolled to.
            window
                .until(
                    &format!("all tabs to fit, {place}"),
                    "const all = document.querySelector(`main [role=tablist][aria-label='Server views']`);
                     return all.scrollWidth <= all.clientWidth + 1",
                )
                .await?;
            window.click("tab", "Tools…").await?;
        }
    }
    window.close().await
}
