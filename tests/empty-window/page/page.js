// The moment after the first paint, like Sonde's own mark.
requestAnimationFrame(() => setTimeout(() => performance.mark("interactive"), 0));
