document.getElementById("screen").textContent = "not connected";
