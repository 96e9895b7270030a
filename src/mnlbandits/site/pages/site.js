"use strict";

function showDurations() {
  for (const place of document.querySelectorAll("[data-duration]")) {
    const seconds = DURATIONS[place.dataset.duration];
    place.textContent = seconds === undefined ? "" : `${seconds} s of computing`;
  }
}

showDurations();
